require_relative "../../burn"
def zz_daemon_work = burn(0.5)
Process.daemon(true, false)
zz_daemon_work
File.write(ENV["MARK"], Process.pid.to_s)
