import { useState } from 'react'
import { useView } from '#app/ui/admin/use-view.tsx'
import type { Column } from '#app/datasets/catalog/column.ts'
import { Button } from '#app/ui/button.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { selectedColumnsText, shownColumns } from './row-view.ts'

const code = laterCode('The list of columns', () => import('./column-dialog.tsx'))

/** The visible columns, which the export uses as well. */
export function ColumnChoice({ columns }: { columns: readonly Column[] }) {
  const { params, change } = useView()
  const [open, setOpen] = useState(false)
  const shown = shownColumns(params, columns)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" size="small" onPointerEnter={code.warm} onFocus={code.warm} onClick={() => setOpen(true)}>
        Columns {shown.length}/{columns.length}
      </Button>
      {open && (
        <LaterDialog code={code} onClose={close}>
          {({ ColumnDialog }) => (
            <ColumnDialog
              columns={columns}
              shown={shown}
              close={close}
              choose={(names) => {
                close()
                change({ select: names.length === columns.length ? undefined : selectedColumnsText(names) })
              }}
            />
          )}
        </LaterDialog>
      )}
    </>
  )
}
