import { expect, test } from 'vitest'
import { originForm } from '../../src/lib/request-target.js'

test.each([
  ['/a/b?c=d', '/a/b?c=d'],
  ['/', '/'],
  ['//x', '//x'],
  ['http://relay.example/a?b', '/a?b'],
  ['HTTPS://relay.example:443/', '/'],
  ['http://relay.example', '/'],
  ['http://relay.example?b', '/?b'],
  ['http://relay.example//x', '//x'],
  ['ftp://relay.example/a', 'ftp://relay.example/a'],
  ['*', '*'],
  ['', ''],
])('the path and query of %j are %j', (target, expected) => expect(originForm(target)).toBe(expected))
