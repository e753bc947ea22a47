import { describe, expect, test } from 'vitest'
import { formatDatabaseHost, parseDatabaseAddress } from '../../src/lib/database-address.js'

describe('the address of a cluster', () => {
  test('names hosts in their order, user, password and database', () => {
    const address = parseDatabaseAddress(
      'postgresql://na%40me:p%3Aw%2F@a:5432,b,[::1]:6000/grin%20pay?sslmode=verify-full',
    )
    expect(address.hosts.map(formatDatabaseHost)).toEqual(['a:5432', 'b:5432', '[::1]:6000'])
    expect([address.user, address.password?.reveal(), address.database]).toEqual(['na@me', 'p:w/', 'grin pay'])
    expect(address.tls).toEqual({ caFile: undefined })
    expect(JSON.stringify(address) + String(address.password)).not.toContain('p:w/')
  })

  test.each([
    ['postgresql://u@db.example/d', { caFile: undefined }],
    ['postgresql://u@127.0.0.1:5432,localhost/d', undefined],
    ['postgresql://u@127.0.0.1,db.example/d', { caFile: undefined }],
    ['postgresql://u@db.example/d?sslmode=disable', undefined],
    ['postgresql://u@db.example/d?sslrootcert=/etc/ca.pem', { caFile: '/etc/ca.pem' }],
  ])('%s: TLS unless all hosts are this machine, or it was switched off', (text, tls) => {
    expect(parseDatabaseAddress(text).tls).toEqual(tls)
  })

  test.each([
    ['mysql://u@a/d', /must look like/],
    ['postgresql://a/d', /must name the user/],
    ['postgresql://u@a', /must look like/],
    ['postgresql://u:secret@a b/d', /neither a name nor an address/],
    ['postgresql://u:secret@a:99999/d', /port/],
    ['postgresql://u:secret@a/d?sslmode=prefer', /sslmode=verify-full/],
    ['postgresql://u:secret@a/d?sslmode=disable&sslmode=disable', /each once/],
    ['postgresql://u:secret@a/d?password=secret', /no parameters but/],
    ['postgresql://u:%zz@a/d', /percent-encoded/],
    [`postgresql://u:secret@${Array(17).fill('a').join(',')}/d`, /at most 16 hosts/],
    ['postgresql://u:secret@a/d?sslmode=disable&sslrootcert=x', /means nothing/],
  ])('%s is refused, and not quoted', (text, why) => {
    const thrown = (() => {
      try {
        parseDatabaseAddress(text)
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toBeInstanceOf(RangeError)
    expect(String(thrown)).toMatch(why)
    expect(String(thrown)).not.toContain('secret')
  })
})
