import { redirect } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { brandIconUrl, iconBrand } from '#app/content/settings/live.ts'
import type { Route } from './+types/icon.page.ts'

export const handle = { access: 'public' } satisfies Handle

/** Browsers and phones ask for `/favicon.ico` and `/apple-touch-icon.png` without a link. They get the picture that the pages link to. */
export function loader({ request }: Route.LoaderArgs) {
  const branding = iconBrand()
  const isTab = new URL(request.url).pathname === '/favicon.ico'
  if (branding) return redirect(brandIconUrl(branding, isTab ? 32 : 180))
  return redirect(isTab ? '/icon-32.ico' : '/icon-180.png')
}
