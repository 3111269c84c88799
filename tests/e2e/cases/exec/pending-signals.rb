require_relative "../../burn"
bad = []
40.times do
  pid = fork { burn(0.003); exec "/bin/true" }
  Process.wait pid
  bad << $?.to_s unless $?.exitstatus == 0
end
40.times do
  burn(0.001)
  system("/bin/true") or bad << $?.to_s
end
puts "bad=#{bad.first(3)}"
