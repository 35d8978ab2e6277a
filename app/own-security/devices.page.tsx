import { allow } from '#app/access.server.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import type { Route } from './+types/devices.page.ts'
import { DevicesSection } from './devices-section.tsx'
import { accountHead } from '#app/own-account/page-title.ts'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(visitOf(context), 'workspace.enter')
  return null
}

export const meta = () => accountHead('Devices')

export default DevicesSection
