import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { NO_ADDRESS } from '#app/leads/lead/lead-format.ts'
import type { LeadDetail } from '#app/leads/record/timeline.ts'

const dialogCode = laterCode('The dialog', () => import('./schedule-dialog.tsx'))

/** The button of a lead that books or proposes a call. */
export function ScheduleCall({ lead }: { lead: LeadDetail }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        type="button"
        look="quiet"
        onPointerEnter={dialogCode.warm}
        onFocus={dialogCode.warm}
        onClick={() => setOpen(true)}
        {...(!lead.email && { unavailable: NO_ADDRESS })}
      >
        Schedule call
      </Button>
      {isOpen && (
        <LaterDialog code={dialogCode} onClose={close}>
          {({ ScheduleDialog }) => <ScheduleDialog lead={lead} close={close} />}
        </LaterDialog>
      )}
    </>
  )
}
