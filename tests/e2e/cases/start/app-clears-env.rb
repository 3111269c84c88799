require_relative "../../burn"
ENV.clear
Dir.chdir "/"
def zz_one = burn(0.3)
def zz_two = burn(0.3)
zz_one
pid = fork { zz_two }
Process.wait pid
exit $?.exitstatus
