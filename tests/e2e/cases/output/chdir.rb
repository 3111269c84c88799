require_relative "../../burn"
require "tmpdir"
def zz_one = burn(0.3)
def zz_two = burn(0.3)
d = Dir.mktmpdir
Dir.chdir d
Process.wait(fork { zz_two })
zz_one
Dir.rmdir d
