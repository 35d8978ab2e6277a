import type { Handle } from '#app/access.server.ts'
import { DevicesSection } from './devices-section.tsx'
import { accountHead } from './page-title.ts'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Devices')

export default DevicesSection
