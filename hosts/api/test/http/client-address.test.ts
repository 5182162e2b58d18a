import { expect } from 'chai';
import { clientOf } from '../../src/http/client-address.ts';

describe('clientOf', () => {
  for (const [title, addresses, client] of [
    ['keeps an IPv4 address and removes its port', ['1.2.3.4', ' 1.2.3.4 ', '1.2.3.4:5678'], '1.2.3.4'],
    [
      'returns the IPv4 address of an IPv4-mapped IPv6 address',
      ['::ffff:1.2.3.4', '::ffff:102:304', '::FFFF:1.2.3.4', '0:0:0:0:0:ffff:0102:0304', '[::ffff:1.2.3.4]:99'],
      '1.2.3.4',
    ],
    [
      'returns the same /64 network for all its addresses',
      [
        '2001:db8:1:2::1',
        '2001:DB8:1:2:ffff::9',
        '2001:0db8:0001:0002:a:b:c:d',
        '[2001:db8:1:2::5]:443',
        '2001:db8:1:2::1%eth0',
      ],
      '2001:db8:1:2::/64',
    ],
    ['returns a /64 network for IPv6 addresses that are not IPv4-mapped', ['::1', '::ffff:0:1.2.3.4'], '::/64'],
    [
      'returns unknown for every malformed address',
      ['', 'unknown', '_hidden', '1.2.3', 'example.org', '999.1.1.1', '1.2.3.4, 5.6.7.8'],
      'unknown',
    ],
  ] as const) {
    it(title, () => {
      for (const address of addresses) expect(clientOf(address), address).to.equal(client);
    });
  }

  it('distinguishes neighbouring addresses', () => {
    const neighbours = ['1.2.3.4', '1.2.3.5', '2001:db8:1:2::1', '2001:db8:1:3::1', '::1'];
    expect(new Set(neighbours.map(clientOf)).size).to.equal(neighbours.length);
  });
});
