require_relative "../../burn"
def zz_worker = burn(0.8)
def zz_idle = loop { sleep 0.01 }
def zz_wait(t) = t.join
Thread.new { zz_idle }
zz_wait Thread.new { zz_worker }
