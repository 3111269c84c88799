require_relative "../../burn"
def zz_x = burn(0.2)
zz_x
Process.kill(:SEGV, Process.pid)
sleep 2
