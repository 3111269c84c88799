require_relative "../../burn"
def zz_app = burn(0.3)
f = File.open(ENV["DATA"], "w")
5.times { f.puts "row" }
20.times { warn "zz noise" rescue nil }
$stderr.syswrite("zz noise raw\n") rescue nil
zz_app
f.close
