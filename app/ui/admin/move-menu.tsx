import { ArrowDownIcon, ArrowUpIcon, CornerDownRightIcon } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { FormDialog } from './form-dialog.tsx'
import type { MenuEntry } from './open-menu.tsx'
import { useForm } from './use-form.ts'
import type { RowOrder } from './use-order.tsx'

type MoveMenuOptions<Row> = {
  order: RowOrder
  nameOf: (row: Row) => string
  /** The length of the whole list. */
  count: number
  /** The neighbors of a row in the filtered list, also on other pages. */
  around: (id: string) => { before: { id: string } | undefined; after: { id: string } | undefined }
}

/** The entries of a row menu that move the row, and their dialog, which the list renders once. */
export function useMoveMenu<Row extends { id: string }>({ order, nameOf, count, around }: MoveMenuOptions<Row>) {
  const [asking, setAsking] = useState<Row>()
  const entriesOf = (row: Row): MenuEntry[] => {
    const { before, after } = around(row.id)
    if (count < 2) return []
    return [
      {
        label: 'Move up',
        startsGroup: true,
        icon: ArrowUpIcon,
        unavailable: before ? undefined : 'It is the first one here.',
        act: () => before && order.move({ id: row.id, before: before.id }),
      },
      {
        label: 'Move down',
        icon: ArrowDownIcon,
        unavailable: after ? undefined : 'It is the last one here.',
        act: () => after && order.move({ id: row.id, before: order.after(after.id) ?? null }),
      },
      { label: 'Move to…', icon: CornerDownRightIcon, act: () => setAsking(row) },
    ]
  }
  const dialog = asking && (
    <MoveDialog
      name={nameOf(asking)}
      place={order.place(asking.id)}
      count={count}
      meaning={order.meaning}
      move={(to) => order.moveTo(asking.id, to)}
      close={() => setAsking(undefined)}
    />
  )
  return { entriesOf, dialog }
}

type MoveDialogProps = { name: string; place: number; count: number; meaning: string; move: (place: number) => void; close: () => void }

/** Moves an item without dragging, also in a list that is longer than a page. */
export function MoveDialog({ name, place, count, meaning, move, close }: MoveDialogProps) {
  const range = `Give a number from 1 to ${count}`
  const form = useForm({
    schema: z.object({ place: z.int(range).check(z.minimum(1, range), z.maximum(count, range)) }),
    read: (texts) => ({ place: Number(texts['place']) }),
    send: async (given) => move(given.place),
    failed: 'Not moved',
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Move to a position" submit="Move">
      <p className="font-mono text-small wrap-anywhere">{name}</p>
      <Field label="Position" name="place" hint={`It is number ${place} of ${count}. ${meaning}`}>
        <Input inputMode="numeric" autoComplete="off" defaultValue={place} />
      </Field>
    </FormDialog>
  )
}
