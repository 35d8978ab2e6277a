import type { Handle } from '#app/access.server.ts'
import { identity } from '#app/content/identity.ts'
import { heads } from '#app/content/seo.ts'
import { brandIconUrl, iconBrand } from '#app/content/settings/live.ts'
import icon from '#app/site/shell/icon.svg?no-inline'
import { paper } from '#app/ui/paper.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'

export const handle = { access: 'public', cache: true } satisfies Handle

/** Devices crop the maskable icons into a shape of their own. */
const icons = [
  { src: icon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ...[192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose: 'maskable' })),
]

type Branding = NonNullable<ReturnType<typeof iconBrand>>

const brandIcons = (branding: Branding) =>
  ([192, 512] as const).flatMap((size) =>
    ['any', 'maskable'].map((purpose) => ({
      src: brandIconUrl(branding, size),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  )

/** The web app manifest, which makes the site installable. */
export function loader() {
  const branding = iconBrand()
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
    icons: branding ? brandIcons(branding) : icons,
  }
  return fileResponse('application/manifest+json', JSON.stringify(manifest))
}
