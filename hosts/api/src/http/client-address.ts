import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
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
 * The key of a client for rate limits: an IPv4 address (also one that is mapped into IPv6), or the /64 network of an IPv6
 * address, the smallest network that one customer gets (RFC 6177). All malformed addresses share the key `unknown`.
 */
export const clientOf = (address: string): string => {
  const ip = parseAddress(address);
  if (ip === undefined) return 'unknown';
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  return `${new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
};

/**
 * The client key of a request: from the address that the trusted proxies report, else from the peer of the connection.
 */
export const clientOfRequest = (req: Request): string => {
  const client = clientOf(req.ip ?? '');
  return client === 'unknown' ? clientOf(req.socket.remoteAddress ?? '') : client;
};
