import { useEffect, useRef, useState } from 'react'
import { formatTime } from '#app/ui/moment.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { ConflictDialog } from '#app/ui/admin/comparison-dialog.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { LeaveDialog } from '#app/ui/admin/leave-dialog.tsx'
import { comparePosts } from './content-comparison.tsx'
import { PostText } from './form-fields.tsx'
import { OtherEditorNotice } from './other-editor-notice.tsx'
import { postFields } from './post-fields.ts'
import { type PostFormProps, type PostFormState, usePostForm } from './use-post-form.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { PreviewLinksDialog } from './preview-links-dialog.tsx'
import { SettingsButton, SettingsPanel, useFieldOpener } from './settings-panel.tsx'
import { useDesk } from './use-desk.tsx'
import type { WorkingCopy } from './use-working-copy.tsx'

export function PostForm(given: PostFormProps) {
  const { form, copy, leaving } = usePostForm(given)
  const element = useRef<HTMLFormElement>(null)
  const { isNew } = form
  const full = useFullScreen(element)
  const desk = useDesk(form.errors)
  const openField = useFieldOpener(desk)
  useEffect(() => {
    // The button that opened the form is gone, and with it the focus.
    element.current?.querySelector<HTMLElement>('[name="title"]')?.focus({ preventScroll: true })
  }, [element])
  return (
    <Form
      // A draft keeps what is typed, so leaving does not ask.
      form={{ ...form, isChanged: false }}
      element={element}
      open={openField}
      aria-labelledby="form-title"
      className={cx(
        'grid grid-cols-1 gap-4',
        full.isOn && 'fixed inset-0 z-40 overflow-y-auto overscroll-contain bg-paper px-4 pt-4 sm:px-8',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="form-title" className="text-body font-semibold text-muted">
          {isNew ? 'Create New Blog Post' : 'Edit Blog Post'}
        </h2>
        <div className="flex flex-wrap gap-2">
          {!isNew && <HistoryButton postId={given.post.id} form={form} copy={copy} />}
          {(!isNew || copy.isOnServer()) && <PreviewLinksButton postId={given.post.id} />}
          <Button type="button" look="quiet" size="small" className="max-sm:hidden" onClick={full.toggle}>
            {full.isOn ? 'Leave full screen' : 'Full screen'}
          </Button>
          <SettingsButton desk={desk} />
        </div>
      </div>
      <OtherEditorNotice form={form} copy={copy} />
      <div className={cx('grid grid-cols-1 items-start gap-6', desk.isWide && desk.hasSettings && 'grid-cols-[minmax(0,1fr)_20rem]')}>
        <PostText form={form} desk={desk} />
        <SettingsPanel form={form} desk={desk} />
      </div>
      <div
        data-action-bar
        className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-paper px-2 py-3"
      >
        <div className="grow max-sm:basis-full">
          <SaveState copy={copy} isPublished={given.post.published} />
        </div>
        <Button type="button" look="quiet" onClick={leaving.ask}>
          Cancel
        </Button>
        <Button look={form.fields.published ? 'primary' : 'quiet'} busy={form.isSaving}>
          {buttonWords(isNew, form.isSaving)}
        </Button>
        {!form.fields.published && <PublishButton form={form} />}
      </div>
      <ConflictDialog form={form} noun="post" differencesTo={(newer) => comparePosts(form.fields, postFields(newer))}>
        It stays in the history either way.
      </ConflictDialog>
      {leaving.isAsking && (
        <LeaveDialog
          {...(isNew && { title: 'Keep this draft?' })}
          onStay={leaving.stay}
          onSave={leaving.leave}
          onDiscard={() => void leaving.discard()}
        >
          {isNew
            ? 'A saved draft stays in the list of posts. Only staff can see it.'
            : 'You have unsaved changes. The published post is unaffected.'}
        </LeaveDialog>
      )}
    </Form>
  )
}

/** The form over the whole window. It ends when the focus moves to a part of the page that it covers. */
function useFullScreen(form: React.RefObject<HTMLElement | null>) {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const check = ({ target }: FocusEvent) => {
      const isCovered =
        target instanceof Element && !form.current?.contains(target) && !target.closest('dialog, [role=dialog], [role=region]')
      if (isCovered) setOn(false)
    }
    document.addEventListener('focusin', check)
    return () => document.removeEventListener('focusin', check)
  }, [form, isOn])
  return { isOn, toggle: () => setOn((now) => !now) }
}

/** Saves and publishes in one step: a date in the future schedules the post. */
function PublishButton({ form }: { form: PostFormState }) {
  return (
    <Button type="button" busy={form.isSaving} onClick={() => void form.submit({ published: true })}>
      {isFuture(form.fields.publishedAt) ? 'Schedule' : 'Publish'}
    </Button>
  )
}

function isFuture(moment: string): boolean {
  return moment !== '' && new Date(moment) > new Date()
}

function buttonWords(isNew: boolean, isSaving: boolean): string {
  if (isSaving) return isNew ? 'Creating...' : 'Updating...'
  return isNew ? 'Create' : 'Update'
}

function PreviewLinksButton({ postId }: { postId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button type="button" look="quiet" size="small" onClick={() => setOpen(true)}>
        Preview links
      </Button>
      {isOpen && <PreviewLinksDialog postId={postId} onClose={() => setOpen(false)} />}
    </>
  )
}

function HistoryButton({ postId, form, copy }: { postId: string; form: PostFormState; copy: WorkingCopy }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" size="small" onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen && (
        <HistoryDialog
          postId={postId}
          onClose={close}
          settleDraft={copy.settle}
          onRestored={(restored) => {
            const fields = postFields(restored.fields)
            copy.takeTheirs(restored, fields)
            form.replace({ fields, baseVersion: restored.baseVersion, draftVersion: restored.version, isUnsent: false })
            close()
          }}
        />
      )}
    </>
  )
}

function SaveState({ copy, isPublished }: { copy: WorkingCopy; isPublished: boolean }) {
  const { state } = copy
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-small text-muted">
      {words(copy, isPublished)}
      {(state.kind === 'failed' || state.kind === 'refused') && (
        <Button type="button" look="quiet" size="small" onClick={() => void copy.flush()}>
          Retry
        </Button>
      )}
    </p>
  )
}

function words({ state, isKeptHere }: WorkingCopy, isPublished: boolean): string {
  switch (state.kind) {
    case 'idle':
      return ''
    case 'waiting':
    case 'saving':
      return 'Saving...'
    case 'saved':
      return `${isPublished ? 'Draft saved' : 'Saved'} ${formatTime(new Date(state.at))}`
    case 'failed':
      if (!isKeptHere) return 'Not saved. Keep this window open: it will be sent.'
      return state.isOffline ? 'Offline: kept on this device, will be sent' : 'Server not available: kept on this device, will be sent'
    case 'refused':
      return `Not saved: ${state.reason}${isKeptHere ? ' Your text is kept on this device.' : ''}`
    case 'elsewhere':
      return 'Not saved: someone else changed the draft.'
  }
}
