require_relative "../../burn"
def zz_loop(stop)
  until File.exist?(stop)
    burn(0.02)
    sleep 0.02
  end
end
File.write(ARGV[0], Process.pid.to_s)
zz_loop(ARGV[1])
