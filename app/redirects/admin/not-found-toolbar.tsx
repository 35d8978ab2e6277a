import { apiRequest } from '#app/platform/browser/api.ts'
import { NOT_FOUND_API } from '#app/redirects/not-found/not-found.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { redirectData } from './redirect-errors.ts'

const choices = [
  {
    name: 'sort',
    label: 'Order',
    options: [
      ['', 'Most requested'],
      ['lastSeenAt', 'Last seen'],
      ['path', 'By path'],
    ],
  },
  {
    name: 'visitors',
    label: 'Requested by',
    options: [
      ['', 'Everyone'],
      ['people', 'People'],
      ['bots', 'Bots only'],
    ],
  },
  {
    name: 'ignored',
    label: 'Show',
    options: [
      ['', 'To review'],
      ['true', 'Ignored'],
    ],
  },
] as const

export function NotFoundToolbar({ count }: { count: number }) {
  const { params, change } = useView()
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      {choices.map(({ name, label, options }) => (
        <div key={name} className="min-w-40 max-sm:grow">
          <Field label={label} name={name} tool>
            <Select value={params.get(name) ?? ''} onChange={({ target }) => change({ [name]: target.value })}>
              {options.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      ))}
      {count > 0 && <ClearAll />}
    </div>
  )
}

function ClearAll() {
  const action = {
    send: async () => apiRequest('DELETE', `${NOT_FOUND_API}?all=true`),
    done: 'The list is empty',
    failed: 'List not cleared',
    touches: redirectData,
  }
  return (
    <QuestionButton action={action} label="Clear all" question="Clear the list?" confirm="Clear all" pending="Clearing...">
      <p>This deletes all paths, including ignored ones. They reappear when visitors request them again.</p>
    </QuestionButton>
  )
}
