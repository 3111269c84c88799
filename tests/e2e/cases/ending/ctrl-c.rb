require_relative "../../burn"
trap("INT", "DEFAULT")
def zz_loop = loop { burn(0.05) }
File.write(ARGV[0], Process.pid.to_s)
zz_loop
