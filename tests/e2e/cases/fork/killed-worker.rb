require_relative "../../burn"
def zz_victim = burn(9)
def zz_survivor = burn(0.4)
def zz_master = burn(0.3)
v = fork { zz_victim }
s = fork { zz_survivor }
zz_master
Process.kill(:KILL, v)
Process.wait v
exit 7 unless $?.termsig == 9
Process.wait s
exit 0
