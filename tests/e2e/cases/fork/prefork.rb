require_relative "../../burn"
def zz_boot = burn(0.3)
def zz_worker_a = burn(0.4)
def zz_worker_b = burn(0.4)
def zz_worker_c = burn(0.4)
zz_boot
pids = %i[zz_worker_a zz_worker_b zz_worker_c].map { |m| fork { send(m) } }
pids.each { |q| Process.wait(q); exit 9 unless $?.success? }
