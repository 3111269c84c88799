require_relative "../../burn"
require "rbconfig"
def zz_parent = burn(0.3)
zz_parent
code = 'print 6*7, " ", ENV.keys.grep(/LD_PRELOAD|RPERF/i)'
print IO.popen([{}, RbConfig.ruby, "-e", code, unsetenv_others: true], &:read)
Process.wait spawn({"LD_PRELOAD" => nil, "RUBYOPT" => nil}, RbConfig.ruby, "-e", "exit 5")
print " ", $?.exitstatus
