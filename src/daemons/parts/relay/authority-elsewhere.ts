// A relay whose name authority is another process (specification: relay, 10).
import { createPolicyAuthority } from '../../../client/index.js'
import type { RelayConfig } from '../../../config/index.js'
import { RELAY_APP } from '../../../relay/index.js'
import { createWatch, probeHealth } from '../nameauth/watched.js'
import { authorityForwarder } from './authority-forwarder.js'
import type { AuthorityMount, RelayContext } from './authority-mount.js'

interface Elsewhere {
  readonly authority: RelayConfig['authority']
  /** Whether the write policy asks it. */
  readonly asks: boolean
}

export async function openElsewhere(
  { authority: { mode, upstream, colocated }, asks }: Elsewhere,
  context: RelayContext,
): Promise<AuthorityMount> {
  const watch = createWatch('the name authority', {
    ...context,
    probe: (signal) => probeHealth(`${upstream}/api/v1/health`, signal),
  })
  return {
    policyAuthority: asks ? createPolicyAuthority({ baseUrl: upstream }) : undefined,
    parts:
      mode === 'upstream'
        ? [{ name: 'authority', start: async () => {}, stop: async () => {}, check: watch.check }]
        : [],
    problem: RELAY_APP.problem,
    async mount(app) {
      if (mode === 'upstream') await app.register(authorityForwarder, { upstream, whole: colocated, watch })
    },
  }
}
