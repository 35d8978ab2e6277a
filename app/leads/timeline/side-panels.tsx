import { VisitorPanel } from '#app/leads/enquiry/visitor-panel.tsx'
import { FilePanel } from '#app/leads/reply/file-panel.tsx'
import { PersonPanel } from './person-panel.tsx'
import { TaskList } from './task-list.tsx'
import type { LeadDetail } from './timeline.ts'

/** Tasks, files, the visitor's page and the person of a lead. The code comes after the page, which is read from the top. */
export function SidePanels({ lead }: { lead: LeadDetail }) {
  return (
    <>
      <TaskList lead={lead} />
      <FilePanel reference={lead.reference} />
      <VisitorPanel reference={lead.reference} />
      <PersonPanel lead={lead} />
    </>
  )
}
