import { type AreaName, areas } from '#app/content/areas.ts'
import { NotYours } from './not-yours.tsx'
import { RequestAccess } from './request-access.tsx'

/** The page of a staff area for customers, with a button to request access. */
export function StaffOnly({ area }: { area: AreaName }) {
  const { title, purpose, uses, needs } = areas[area]
  return (
    <NotYours title={title} purpose={purpose} uses={uses} needs={needs}>
      <RequestAccess area={area} />
    </NotYours>
  )
}
