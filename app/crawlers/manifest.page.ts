import type { Handle } from '#app/platform/hydration.ts'
import { identity } from '#app/site/content/identity.ts'
import { heads } from '#app/site/content/seo.ts'
import icon from '#app/site/icon.svg?no-inline'
import { paper } from '#app/ui/paper.ts'
import { fileAnswer } from '#app/platform/file-answer.server.ts'

export const handle = { kept: true } satisfies Handle

/** A device that puts the site among its programs cuts the maskable pictures into the shape that it likes. */
const icons = [
  { src: icon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ...[192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose: 'maskable' })),
]

/** What a device needs to know to keep the site as a program of its own. */
export function loader() {
  const manifest = {
    id: '/',
    name: identity.name,
    short_name: identity.name,
    description: heads['/'].description,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: paper.light,
    theme_color: paper.light,
    icons,
  }
  return fileAnswer('application/manifest+json', JSON.stringify(manifest))
}
