# What the tests' programs measure of themselves, to be compared with the profile.
require_relative "burn"

MEASURED = []

def clock_ms(clock) = Process.clock_gettime(clock) * 1000
def cpu_ms = clock_ms(Process::CLOCK_THREAD_CPUTIME_ID)
def wall_ms = clock_ms(Process::CLOCK_MONOTONIC)

# Runs the block and notes "name=ms", in the CPU time of this thread or in wall time.
def cpu(name)
  started = cpu_ms
  yield
  MEASURED << "#{name}=#{(cpu_ms - started).round}"
end

def wall(name)
  started = wall_ms
  yield
  MEASURED << "#{name}=#{(wall_ms - started).round}"
end

def report_measured = puts(MEASURED.join(" "))
