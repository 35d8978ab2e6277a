import { useQuery } from '@tanstack/react-query'
import { FilterIcon, XIcon } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { deskFilterKeys, type LeadPipeline, nextStepFilters } from '#app/leads/lead/desk.ts'
import { filteredFacts } from '#app/leads/lead/lead-facts.ts'
import { leadFormLabels } from '#app/leads/lead/lead-format.ts'
import { pipelineQuery } from './use-desk.tsx'

type Choice = { value: string; label: string }
type FilterField =
  | { key: string; label: string; kind: 'text' | 'date' | 'number' }
  | { key: string; label: string; choices: (pipeline?: LeadPipeline) => Choice[] }

const choicesOf = (labels: Record<string, string>) => () => Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Every filter besides the search, the stage and the order, which have their own places. */
const filterFields: FilterField[] = [
  {
    key: 'owner',
    label: 'Owner',
    choices: (pipeline) => [
      { value: 'me', label: 'Me' },
      { value: 'none', label: 'No owner' },
      ...(pipeline?.owners ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ],
  },
  { key: 'next', label: 'Next step', choices: choicesOf(nextStepFilters) },
  { key: 'answered', label: 'Answered', choices: choicesOf({ yes: 'Answered', no: 'Not answered' }) },
  { key: 'starred', label: 'Starred', choices: choicesOf({ yes: 'Starred' }) },
  { key: 'tag', label: 'Tag', kind: 'text' },
  {
    key: 'reason',
    label: 'Lost because of',
    choices: (pipeline) => (pipeline?.lostReasons ?? []).map((reason) => ({ value: reason, label: reason })),
  },
  { key: 'least', label: 'Value from', kind: 'number' },
  { key: 'most', label: 'Value up to', kind: 'number' },
  ...filteredFacts.map(({ key, label }) => ({ key, label, kind: 'text' as const })),
  { key: 'form', label: 'Source', choices: choicesOf(leadFormLabels) },
  { key: 'from', label: 'Received from', kind: 'date' },
  { key: 'until', label: 'Received until', kind: 'date' },
]

/** The button that opens all filters. */
export function DeskFilters() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button type="button" look="quiet" onClick={() => setOpen(true)}>
        <FilterIcon aria-hidden="true" className="size-4 max-sm:hidden" />
        Filters
      </Button>
      {isOpen && <FilterDialog close={() => setOpen(false)} />}
    </>
  )
}

const anyFilter = z.record(z.string(), z.string().check(z.trim()))

function FilterDialog({ close }: { close: () => void }) {
  const { params, change } = useView()
  const pipeline = useQuery(pipelineQuery).data
  const form = useForm({
    schema: anyFilter,
    send: async (given) => change(Object.fromEntries(filterFields.map(({ key }) => [key, given[key]]))),
    failed: 'Not filtered',
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Filter leads" submit="Apply">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {filterFields.map((field) => (
          <Field key={field.key} label={field.label} name={field.key} optional>
            {'choices' in field ? (
              <Select defaultValue={params.get(field.key) ?? ''}>
                <option value="">Any</option>
                {field.choices(pipeline).map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            ) : (
              <Input
                type={field.kind}
                defaultValue={params.get(field.key) ?? ''}
                {...(field.kind === 'number' && { min: 0, step: 'any' })}
                most={200}
              />
            )}
          </Field>
        ))}
      </div>
    </FormDialog>
  )
}

/** The filters in use, each with a button that removes it. */
export function ActiveFilters() {
  const { params, change } = useView()
  const pipeline = useQuery(pipelineQuery).data
  const active = filterFields.flatMap((field) => {
    const value = params.get(field.key)
    if (!value) return []
    const label = 'choices' in field ? field.choices(pipeline).find((choice) => choice.value === value)?.label : undefined
    return [{ key: field.key, text: `${field.label}: ${label ?? value}` }]
  })
  if (active.length === 0) return null
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2 text-small">
      {active.map(({ key, text }) => (
        <li key={key}>
          <button
            type="button"
            onClick={() => change({ [key]: undefined })}
            aria-label={`Remove the filter ${text}`}
            className="inline-flex min-h-7 items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 text-fine hover:border-ink pointer-coarse:min-h-11"
          >
            {text}
            <XIcon aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <Button type="button" look="quiet" size="small" onClick={() => change(nothingFiltered)}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}

/** Removes every filter and the search. */
export const nothingFiltered = Object.fromEntries(deskFilterKeys.map((key) => [key, undefined]))
