require_relative "../../burn"
def zz_main = burn(0.3)
def zz_child = burn(0.4)
print Process.pid
$stdout.flush
zz_main
Process.wait(fork { zz_child })
