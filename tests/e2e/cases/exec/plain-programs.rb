require "open3"
$stdout.sync = true
system("/bin/sh", "-c", "echo a; echo b >&2")
puts `#{%w[git perl].find { |x| File.exist?("/usr/bin/#{x}") }} --version`
IO.popen(%w[cat], "r+") { |c| c.puts "through cat"; c.close_write; print c.read }
o, e, s = Open3.capture3("/bin/sh", "-c", "echo out; echo err >&2; exit 3")
p [o, e, s.exitstatus]
system("env", "-i", "/bin/echo", "clean env")
p system("false"), system("no-such-zz"), `printf %s x | tr x y`
pid = spawn("/bin/sleep", "0.05"); Process.wait pid; p $?.exitstatus
