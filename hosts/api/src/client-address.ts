import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const parsed = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
    ? ipaddr.process(address)
    : undefined;
};

/**
 * What counts as one client: an IPv4 address (also one that is mapped into IPv6), or the /64 of an IPv6 address, which is
 * the least that one customer is given (RFC 6177). Anything else is one client together.
 */
export const clientOf = (address: string): string => {
  const ip = parsed(address);
  if (ip === undefined) return 'unknown';
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  return `${new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
};

/** The client that a request comes from: the peer of the connection, or whom the trusted proxies name. */
export const clientOfRequest = (req: Request): string => {
  const named = clientOf(req.ip ?? '');
  return named === 'unknown' ? clientOf(req.socket.remoteAddress ?? '') : named;
};
