import { Plus } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useView } from '#app/admin-view/use-view.tsx'
import { areas } from '#app/site/content/areas.ts'
import { Button } from '#app/ui/button.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { openForm } from './blog-view.ts'
import { EditPost } from './edit-post.tsx'
import { PostForm } from './post-form.tsx'
import { PostList } from './post-list.tsx'

/** Closed, the list; open, the form in its place. The address says which, so that either can be kept and left with the back button. */
export function BlogManagement() {
  const { params, change } = useView()
  const isAwake = useAwake()
  const open = openForm(params)
  const close = () => change({ edit: undefined, new: undefined })
  if (open) {
    return (
      <Page kind="work" title={areas.blog.title}>
        {!isAwake && <Loading>Opening the form...</Loading>}
        {isAwake && (open === 'new' ? <PostForm key="new" close={close} /> : <EditPost key={open.id} id={open.id} close={close} />)}
      </Page>
    )
  }
  const newPost = (
    <Button type="button" onClick={() => change({ new: 'post' })}>
      <Plus aria-hidden="true" className="size-4" />
      New Post
    </Button>
  )
  return (
    <Page kind="work" title={areas.blog.title} intro={areas.blog.purpose} actions={newPost}>
      <PostList />
    </Page>
  )
}

const never = () => () => undefined

/** The form knows the clock of its writer and what was left in this browser: the server knows neither. */
function useAwake(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
