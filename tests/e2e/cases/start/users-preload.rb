require "rbconfig"
require_relative "../../burn"
def seen = File.read("/proc/self/maps").include?("libzzuser.so")
burn(0.1)
print seen, " "
r, w = IO.pipe
Process.wait(fork { w.print seen })
w.close
print r.read, " "
print IO.popen([RbConfig.ruby, "-e", 'print File.read("/proc/self/maps").include?("libzzuser.so")'], &:read)
