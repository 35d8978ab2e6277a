import { useState } from 'react'
import type { Column } from '#app/datasets/catalog/column.ts'
import { Button } from '#app/ui/button.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'

const code = laterCode('The filter', () => import('./filter-dialog.tsx'))

/** Any condition on any column, beyond those that the bars offer. */
export function AddFilter({ columns }: { columns: readonly Column[] }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" size="small" onPointerEnter={code.warm} onFocus={code.warm} onClick={() => setOpen(true)}>
        Add filter
      </Button>
      {open && (
        <LaterDialog code={code} onClose={close}>
          {({ FilterDialog }) => <FilterDialog columns={columns} close={close} />}
        </LaterDialog>
      )}
    </>
  )
}
