require_relative "../../burn"
require "rbconfig"
def zz_before = burn(0.4)
zz_before
exec RbConfig.ruby, ARGV[0]
