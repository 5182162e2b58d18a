import { expect } from 'chai';
import { clientOf } from '../src/http/client-address.ts';

describe('the address that counts as one client', () => {
  for (const [title, addresses, client] of [
    ['an IPv4 address is itself', ['1.2.3.4', ' 1.2.3.4 ', '1.2.3.4:5678'], '1.2.3.4'],
    [
      'an IPv4 address mapped into IPv6 is the IPv4 address',
      ['::ffff:1.2.3.4', '::ffff:102:304', '::FFFF:1.2.3.4', '0:0:0:0:0:ffff:0102:0304', '[::ffff:1.2.3.4]:99'],
      '1.2.3.4',
    ],
    [
      'the addresses of one /64 are one client',
      [
        '2001:db8:1:2::1',
        '2001:DB8:1:2:ffff::9',
        '2001:0db8:0001:0002:a:b:c:d',
        '[2001:db8:1:2::5]:443',
        '2001:db8:1:2::1%eth0',
      ],
      '2001:db8:1:2::/64',
    ],
    ['the loopback is an address too', ['::1'], '::/64'],
    [
      'what is no address is one client together',
      ['', 'unknown', '_hidden', '1.2.3', 'example.org', '999.1.1.1', '1.2.3.4, 5.6.7.8'],
      'unknown',
    ],
  ] as const) {
    it(title, () => {
      for (const address of addresses) expect(clientOf(address), address).to.equal(client);
    });
  }

  it('tells neighbours apart', () => {
    const neighbours = ['1.2.3.4', '1.2.3.5', '2001:db8:1:2::1', '2001:db8:1:3::1', '::1', '::ffff:0:1.2.3.4'];
    expect(new Set(neighbours.map(clientOf)).size).to.be.at.least(neighbours.length - 1);
  });
});
