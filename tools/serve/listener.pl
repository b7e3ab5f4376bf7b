# Starts workerd on a listening socket that closes connections whose readers take nothing: perl listener.pl WORKERD ARGUMENT...
# TINTYPE_LISTENER is NAME=ADDRESS:PORT=MILLISECONDS. No stream of workerd ends while a write to its client waits, and no option of
# workerd or Node.js sets TCP_USER_TIMEOUT. Accepted sockets inherit it from the one that listens (tcp(7)). Without it a client that
# acknowledges packets and reads nothing is served for ever.
# Where anything fails, workerd listens by itself, and says what is wrong.
use strict;
use warnings;
use Socket qw(:DEFAULT IPPROTO_TCP);

use constant TCP_USER_TIMEOUT => 18;

my ($name, $host, $port, $timeout) = (delete($ENV{TINTYPE_LISTENER}) // '') =~ /^(.+)=([0-9.]+):([0-9]+)=([0-9]+)$/;
my ($workerd, $command, @arguments) = @ARGV;
# Descriptors up to this one stay open in what is executed.
$^F = 1023;
my $socket;
my $listens = defined $name
  && socket($socket, PF_INET, SOCK_STREAM, getprotobyname('tcp') // 6)
  && setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1)
  && setsockopt($socket, IPPROTO_TCP, TCP_USER_TIMEOUT, pack('i', $timeout))
  && bind($socket, pack_sockaddr_in($port, inet_aton($host)))
  && listen($socket, SOMAXCONN);
unshift @arguments, "--socket-fd=$name=" . fileno($socket) if $listens;
close $socket if $socket && !$listens;
exec { $workerd } $workerd, $command, @arguments or die "$workerd cannot be started: $!\n";
