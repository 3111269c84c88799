require_relative "../measure"
require ARGV[0]

def zz_busy_gvl = Probe.busy_gvl(300)
def zz_busy_nogvl = Probe.busy_nogvl(300)
def zz_sleep_gvl = Probe.sleep_gvl(200)
def zz_sleep_nogvl = Probe.sleep_nogvl(200)

cpu(:busy_gvl) { zz_busy_gvl }
cpu(:busy_nogvl) { zz_busy_nogvl }
zz_sleep_gvl
zz_sleep_nogvl
report_measured
