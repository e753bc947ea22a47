// Receivers 2 to 8: both halves of each, gaps allowed.
import { expect, test } from 'vitest'
import { loadPayConfig } from '../../src/config/index.js'
import { environmentOf } from '../support/environments.js'
