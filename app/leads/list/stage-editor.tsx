import { arrayMove } from '@dnd-kit/sortable'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownIcon, ArrowUpIcon, PlusIcon, Trash2Icon } from 'lucide-react'
import { useRef, useState } from 'react'
import { z } from 'zod/mini'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { type AutomaticStage, type LeadStage, leadStage, type StagesBody, stagesBody } from '#app/leads/lead/stage.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { DragHandle, DragItem, DragList } from '#app/ui/admin/drag-list.tsx'
import { movedWords } from '#app/ui/admin/drag-words.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useRemoval } from '#app/ui/admin/undo.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field, FieldError } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { LEADS_URL } from '#app/leads/lead/desk.ts'
import { leadCountsQuery, pipelineQuery } from './use-desk.tsx'

const STAGES_MOST = 20

/** A stage in the form: `key` stays while its text is typed. `probability` is the text of its field. */
type Draft = { key: string; id?: number; name: string; probability: string }

const automaticTexts: Record<AutomaticStage, string> = {
  new: 'New leads start here',
  reply: 'After the first reply',
  call: 'After a booked call',
  proposal: 'After a sent proposal',
  won: 'Won leads',
  lost: 'Lost leads',
}

/** The pipeline as a form: names, probabilities, order, and which stages there are. */
export function StageEditor({ mayWrite }: { mayWrite: boolean }) {
  const pipeline = useQuery(pipelineQuery)
  if (pipeline.isPending) {
    return (
      <div className="max-w-3xl">
        <Loading>Loading stages...</Loading>
        <RowsSkeleton rows={7} columns={3} />
      </div>
    )
  }
  if (pipeline.isError) return <Failed as="h2" error={pipeline.error} retry={pipeline.refetch} />
  return <StageForm stages={pipeline.data.stages} mayWrite={mayWrite} />
}

const draftOf = ({ id, name, probability }: LeadStage): Draft => ({ key: String(id), id, name, probability: String(probability) })

function StageForm({ stages, mayWrite }: { stages: LeadStage[]; mayWrite: boolean }) {
  // The stages that the person saw when they began to edit.
  const [base, setBase] = useState(stages)
  const [drafts, setDrafts] = useState(() => stages.map(draftOf))
  const [moveTo, setMoveTo] = useState('')
  const [said, setSaid] = useState('')
  const [added, setAdded] = useState<string>()
  const counts = useQuery(leadCountsQuery(new URLSearchParams())).data
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(base.map(draftOf))
  const removed = base.filter(({ id }) => !drafts.some((draft) => draft.id === id))
  const startOver = (from: LeadStage[]) => {
    setBase(from)
    setDrafts(from.map(draftOf))
    setMoveTo('')
  }
  const form = useStagesForm({ base, drafts, removed, moveTo, onSaved: startOver })
  const add = useRef(0)
  const remove = useRemoval(drafts, setDrafts)

  const change = (key: string, values: Partial<Draft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...values } : draft)))
  // The first stage stays first: new leads begin there.
  const move = (from: number, to: number) => {
    if (from > 0 && to > 0 && to < drafts.length) setDrafts(arrayMove(drafts, from, to))
  }
  const step = (from: number, to: number) => {
    move(from, to)
    if (from > 0 && to > 0 && to < drafts.length) setSaid(movedWords(titleOf(drafts[from]), to + 1, drafts.length))
  }
  return (
    <Form form={{ ...form, isChanged }} className="grid max-w-3xl grid-cols-1 gap-4">
      <p role="status" className="sr-only">
        {said}
      </p>
      <DragList ids={drafts.map(({ key }) => key)} nameOf={(key) => titleOf(drafts.find((draft) => draft.key === key))} move={move}>
        <ol className="divide-y divide-line rounded-card border border-line bg-surface text-small">
          {drafts.map((draft, at) => (
            <StageRow
              key={draft.key}
              draft={draft}
              known={base.find(({ id }) => id === draft.id)}
              leads={draft.id === undefined ? 0 : counts?.stages.find(({ id }) => id === draft.id)?.count}
              isFirst={at === 0}
              ends={{ up: at <= 1, down: at === 0 || at === drafts.length - 1 }}
              mayWrite={mayWrite}
              isAdded={draft.key === added}
              error={form.errors[fieldOf(draft.key)]}
              change={(values) => change(draft.key, values)}
              move={(by) => step(at, at + by)}
              remove={() => remove(at, `${titleOf(draft)} removed`)}
            />
          ))}
        </ol>
      </DragList>
      {removed.length > 0 && (
        <Field label={`Move the leads of ${removed.map(({ name }) => name).join(', ')} to`} name="moveTo" optional>
          <Select value={moveTo} onChange={({ target }) => setMoveTo(target.value)}>
            <option value="">Choose a stage</option>
            {drafts.flatMap(({ id, name }) =>
              id === undefined
                ? []
                : [
                    <option key={id} value={id}>
                      {name}
                    </option>,
                  ],
            )}
          </Select>
        </Field>
      )}
      {mayWrite && (
        <p className="flex flex-wrap gap-3">
          <Button
            type="button"
            look="quiet"
            onClick={() => {
              add.current += 1
              const draft = { key: `new ${add.current}`, name: '', probability: '50' }
              setAdded(draft.key)
              // Before the ends of the pipeline, which usually come last.
              const end = drafts.findIndex(({ id }) => base.some((stage) => stage.id === id && stage.outcome !== 'open'))
              setDrafts(drafts.toSpliced(end < 0 ? drafts.length : end, 0, draft))
            }}
            {...(drafts.length >= STAGES_MOST && { unavailable: `A pipeline has at most ${STAGES_MOST} stages.` })}
          >
            <PlusIcon aria-hidden="true" className="size-4" />
            Add stage
          </Button>
          <SubmitButton {...(!isChanged && { unavailable: 'Nothing has changed.' })}>Save stages</SubmitButton>
          {isChanged && (
            <Button type="button" look="quiet" onClick={() => startOver(stages)}>
              Discard changes
            </Button>
          )}
        </p>
      )}
    </Form>
  )
}

const toStage = ({ id, name, probability }: Draft) => ({ ...(id !== undefined && { id }), name, probability: Number(probability) })
const plainStage = ({ id, name, probability }: LeadStage) => ({ id, name, probability })

function problemsIn(drafts: Draft[], removed: LeadStage[], moveTo: string): Record<string, string> | undefined {
  const errors: Record<string, string> = {}
  for (const { key, name, probability } of drafts) {
    if (name.trim() === '') errors[fieldOf(key)] = 'Give each stage a name.'
    else if (isOdd(probability)) errors[fieldOf(key)] = `The probability of ${name} is a whole number from 0 to 100.`
  }
  if (removed.length > 0 && moveTo === '') errors['moveTo'] = 'Choose where the leads of the removed stage go.'
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** The name of the errors and the inputs of a stage. */
const fieldOf = (key: string) => `stages.${key}`

const isOdd = (probability: string) => !/^\d{1,3}$/.test(probability.trim()) || Number(probability) > 100

type Saving = { base: LeadStage[]; drafts: Draft[]; removed: LeadStage[]; moveTo: string; onSaved: (stages: LeadStage[]) => void }

function useStagesForm({ base, drafts, removed, moveTo, onSaved }: Saving) {
  const send = async (body: StagesBody) => z.array(leadStage).parse(await (await apiRequest('PUT', `${LEADS_URL}/stages`, body)).json())
  return useForm({
    schema: stagesBody,
    find: () => problemsIn(drafts, removed, moveTo),
    read: () => ({ stages: drafts.map(toStage), base: base.map(plainStage), ...(moveTo && { moveTo: Number(moveTo) }) }),
    send,
    explain: ({ detail }) => ({ stages: detail }),
    onDone: onSaved,
    done: 'Stages saved',
    undo(saved) {
      // A removed stage has given its leads away, so only names, probabilities and the order go back.
      const isSameSet = saved.length === base.length && saved.every(({ id }) => base.some((stage) => stage.id === id))
      const back = { stages: base.map(plainStage), base: saved.map(plainStage) }
      return isSameSet ? async () => onSaved(await send(back)) : undefined
    },
    failed: 'Stages not saved',
    touches: leadData,
  })
}

type StageRowProps = {
  draft: Draft
  known: LeadStage | undefined
  leads: number | undefined
  isFirst: boolean
  ends: { up: boolean; down: boolean }
  mayWrite: boolean
  /** Added just now: it gets the focus. */
  isAdded: boolean
  error: string | undefined
  change: (values: Partial<Draft>) => void
  move: (step: 1 | -1) => void
  remove: () => void
}

const box =
  'min-h-(--control) min-w-0 rounded-control border border-edge bg-surface px-2.5 text-body hover:border-ink aria-invalid:border-alarm'

const titleOf = (draft: Draft | undefined) => draft?.name || 'the new stage'

function StageRow({ draft, known, leads, isFirst, ends, mayWrite, isAdded, error, change, move, remove }: StageRowProps) {
  const { key, name, probability } = draft
  const title = titleOf(draft)
  const needed = known?.automatic === 'new' || known?.outcome === 'won' || known?.outcome === 'lost'
  const facts = (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-fine text-muted">
      {known?.automatic && <Badge look={known.outcome === 'won' ? 'leaf' : 'plain'}>{automaticTexts[known.automatic]}</Badge>}
      {leads !== undefined && countOf(leads, 'lead', 'leads')}
    </span>
  )
  if (!mayWrite) {
    return (
      <li className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1">
        <span className="font-medium">{name}</span>
        <span className="font-mono text-fine text-muted">{probability}%</span>
        {facts}
      </li>
    )
  }
  return (
    <DragItem
      as="li"
      id={key}
      isFixed={isFirst}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-3 py-1.5 sm:grid-cols-[minmax(0,14rem)_auto_minmax(0,1fr)_auto]"
    >
      <span className="flex items-center gap-1">
        {isFirst ? <span className="w-5 shrink-0 pointer-coarse:w-9" /> : <DragHandle name={title} step={move} />}
        <input
          aria-label="Name"
          name={fieldOf(key)}
          value={name}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just added it.
          autoFocus={isAdded}
          aria-invalid={(error && name.trim() === '') || undefined}
          onChange={({ target }) => change({ name: target.value })}
          className={`${box} w-full`}
        />
      </span>
      <span className="flex items-center gap-1.5 text-muted">
        <input
          aria-label={`Probability of ${title} in percent`}
          name={fieldOf(key)}
          value={probability}
          inputMode="numeric"
          aria-invalid={(error && name.trim() !== '') || undefined}
          onChange={({ target }) => change({ probability: target.value })}
          className={`${box} w-14 text-right font-mono tabular-nums`}
        />
        %
      </span>
      {facts}
      <span className="flex justify-end">
        <RowButton label={`Move ${title} up`} aria-disabled={ends.up || undefined} onClick={() => move(-1)}>
          <ArrowUpIcon aria-hidden="true" className={ends.up ? 'opacity-30' : undefined} />
        </RowButton>
        <RowButton label={`Move ${title} down`} aria-disabled={ends.down || undefined} onClick={() => move(1)}>
          <ArrowDownIcon aria-hidden="true" className={ends.down ? 'opacity-30' : undefined} />
        </RowButton>
        <RowButton
          label={needed ? `${title} cannot be removed${isFirst ? ': new leads begin there' : ''}` : `Remove ${title}`}
          aria-disabled={needed || undefined}
          onClick={() => !needed && remove()}
        >
          <Trash2Icon aria-hidden="true" className={needed ? 'opacity-30' : undefined} />
        </RowButton>
      </span>
      {error && <FieldError name={fieldOf(key)}>{error}</FieldError>}
    </DragItem>
  )
}
