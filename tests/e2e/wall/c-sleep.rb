require_relative "../measure"
require ARGV[0]

def zz_gvl = Probe.sleep_gvl(300)
def zz_nogvl = Probe.sleep_nogvl(300)
def zz_busy = Probe.busy_nogvl(300)

wall(:gvl) { zz_gvl }
wall(:nogvl) { zz_nogvl }
wall(:busy) { zz_busy }
report_measured
