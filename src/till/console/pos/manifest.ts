// What makes the point of sale installable: name, icons, where it starts. There is no service worker: a page about money is never a stored one.
import type { ConsolePage } from '../../../console/index.js'

export const manifestPage = (shop: string): ConsolePage => ({
  path: '/pos/manifest.webmanifest',
  title: 'Web app',
  least: 'cashier',
  render: async ({ view }) => ({
    download: 'manifest.webmanifest',
    type: 'application/manifest+json',
    content: view('pos/manifest', { shop }),
  }),
})
