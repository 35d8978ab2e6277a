import { arrayMove } from '@dnd-kit/sortable'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { DragHandle, DragItem, DragList } from '#app/ui/admin/drag-list.tsx'
import { movedWords } from '#app/ui/admin/drag-words.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { defaultLeadColumns, deskColumns, LEAD_COLUMNS, leadColumns } from '#app/leads/lead/desk.ts'
import { leadColumnsQuery } from './use-desk.tsx'

type LeadColumnDialogProps = { chosen: readonly string[]; close: () => void }

const headOf = (id: string) => deskColumns.find(({ key }) => key === id)?.label ?? id

/** Chooses and orders the columns of the person's table, on every device. */
export function LeadColumnDialog({ chosen, close }: LeadColumnDialogProps) {
  const client = useQueryClient()
  const [columns, setColumns] = useState<readonly string[]>(chosen)
  const [said, setSaid] = useState('')
  const form = useForm({
    schema: leadColumns,
    read: () => ({ columns }),
    send: async (body) => apiRequest('PUT', LEAD_COLUMNS, body),
    failed: 'Columns not saved',
    onDone(_response, body) {
      client.setQueryData(leadColumnsQuery.queryKey, body)
      close()
    },
  })
  const move = (from: number, to: number) => {
    if (to >= 0 && to < columns.length) setColumns(arrayMove([...columns], from, to))
  }
  const step = (from: number, to: number) => {
    move(from, to)
    if (to >= 0 && to < columns.length) setSaid(movedWords(headOf(columns[from] ?? ''), to + 1, columns.length))
  }
  return (
    <FormDialog form={{ ...form, isChanged: columns.join() !== chosen.join() }} onClose={close} title="Columns" submit="Save">
      <p role="status" className="sr-only">
        {said}
      </p>
      <Button type="button" look="quiet" size="small" className="justify-self-start" onClick={() => setColumns(defaultLeadColumns)}>
        Reset
      </Button>
      <DragList ids={columns} nameOf={headOf} move={move}>
        <ul className="divide-y divide-line">
          {[...columns, ...deskColumns.flatMap(({ key }) => (columns.includes(key) ? [] : key))].map((key) => {
            const at = columns.indexOf(key)
            return (
              <DragItem as="li" key={key} id={key} isFixed={at < 0} className="flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
                {at < 0 ? (
                  <span className="w-5 shrink-0 pointer-coarse:w-9" />
                ) : (
                  <DragHandle name={headOf(key)} step={(by) => step(at, at + by)} />
                )}
                <label className="flex grow cursor-pointer items-center gap-3">
                  <input
                    type="checkbox"
                    checked={at >= 0}
                    onChange={() => setColumns(at >= 0 ? columns.filter((each) => each !== key) : [...columns, key])}
                    className="size-4 accent-ink"
                  />
                  {headOf(key)}
                </label>
                {at >= 0 && (
                  <>
                    <MoveButton label={`Move ${headOf(key)} up`} isLast={at === 0} move={() => step(at, at - 1)}>
                      <ArrowUpIcon aria-hidden="true" className="size-4" />
                    </MoveButton>
                    <MoveButton label={`Move ${headOf(key)} down`} isLast={at === columns.length - 1} move={() => step(at, at + 1)}>
                      <ArrowDownIcon aria-hidden="true" className="size-4" />
                    </MoveButton>
                  </>
                )}
              </DragItem>
            )
          })}
        </ul>
      </DragList>
    </FormDialog>
  )
}

function MoveButton({ label, isLast, move, children }: { label: string; isLast: boolean; move: () => void; children: React.ReactNode }) {
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      aria-label={label}
      onClick={move}
      {...(isLast && { unavailable: 'It is already there.' })}
    >
      {children}
    </Button>
  )
}
