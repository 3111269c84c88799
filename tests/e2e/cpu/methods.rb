require_relative "../measure"

def zz_a = burn(0.2)
def zz_b = burn(0.4)
def zz_c = burn(0.6)

cpu(:a) { zz_a }
cpu(:b) { zz_b }
cpu(:c) { zz_c }
report_measured
