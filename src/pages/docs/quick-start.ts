import * as routes from '../../routes.ts'

/** A step of the quick start: what it does, and its code. */
export interface Step {
  title: string
  code: string
}

/** The quick start in one programming language. Later steps use the results of earlier ones. */
export interface Walk {
  /** The anchor, and the language of the code blocks. */
  id: 'curl' | 'javascript' | 'python' | 'powershell'
  name: string
  needs: string
  steps: readonly Step[]
}

/** Titles of the steps, by the name of their recorded response. */
export const STEP_TITLES = {
  upload: 'Upload a picture',
  gallery: 'Make a gallery',
  rename: 'Rename it',
  status: 'Ask what became of a picture',
  delete: 'Delete',
} as const
const UPLOAD = STEP_TITLES.upload
const GALLERY = STEP_TITLES.gallery
const RENAME = STEP_TITLES.rename
const STATUS = STEP_TITLES.status
const DELETE = STEP_TITLES.delete

// The parameters are the expressions for the hash or token in the programming language.
const finalizePath = (gallery_hash: string) => routes.pathOf(routes.finalizeGallery, { gallery_hash })
const renamePath = (token: string) => routes.pathOf(routes.renameContent, { token })
const deletePath = (token: string) => routes.pathOf(routes.deleteContent, { token })

/** The quick start with the service at this origin. It uploads `photo.jpg` from the current directory. */
export function quickStart(origin: string): readonly Walk[] {
  return [
    { id: 'curl', name: 'curl', needs: 'Any shell, with curl and sed.', steps: curl(origin) },
    {
      id: 'javascript',
      name: 'JavaScript',
      needs: 'Node.js 20 or newer, as a module (quick-start.mjs). Browsers can do the same.',
      steps: javascript(origin),
    },
    { id: 'python', name: 'Python', needs: 'Python 3 with the package requests.', steps: python(origin) },
    {
      id: 'powershell',
      name: 'PowerShell',
      needs: 'PowerShell 7: Windows PowerShell 5.1 has no -Form.',
      steps: powershell(origin),
    },
  ]
}

function curl(origin: string): Step[] {
  const managed = `\${manage##*/}`
  return [
    {
      title: UPLOAD,
      code: `picture=$(curl -sS --fail-with-body \\
  -F img=@photo.jpg -F content_type=0 -F include_manage_url=1 \\
  ${origin}${routes.images})
echo "$picture"
field() {
  printf '%s' "$2" | sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"
}
show_url=$(field show_url "$picture")`,
    },
    {
      title: GALLERY,
      code: `gallery=$(curl -sS --fail-with-body \\
  -d gallery_name=Holidays -d include_manage_url=1 \\
  ${origin}${routes.galleries})
hash=$(field gallery_hash "$gallery")
token=$(field gallery_upload_hash "$gallery")
curl -sS --fail-with-body -F img=@photo.jpg -F content_type=0 \\
  -F "gallery_hash=$hash" -F "gallery_upload_hash=$token" \\
  ${origin}${routes.images}
curl -sS --fail-with-body -d "gallery_upload_hash=$token" \\
  "${origin}${finalizePath('$hash')}"
printf '\\n%s\\n' "$(field gallery_url "$gallery")"`,
    },
    {
      title: RENAME,
      code: `manage=$(field manage_url "$gallery")
curl -sS --fail-with-body --data-urlencode 'name=Summer holidays' \\
  "${origin}${renamePath(managed)}"`,
    },
    {
      title: STATUS,
      code: `curl -sS --fail-with-body -H 'Content-Type: application/json' \\
  -d "{\\"urls\\":[\\"$show_url\\"]}" ${origin}${routes.imageStatus}`,
    },
    {
      title: DELETE,
      code: `curl -sS --fail-with-body -X POST \\
  "${origin}${deletePath(managed)}"
manage=$(field manage_url "$picture")
curl -sS --fail-with-body -X POST \\
  "${origin}${deletePath(managed)}"`,
    },
  ]
}

function javascript(origin: string): Step[] {
  return [
    {
      title: UPLOAD,
      code: `import { openAsBlob } from 'node:fs'

async function call(path, options) {
  const request = { method: 'POST', ...options }
  const response = await fetch('${origin}' + path, request)
  const text = await response.text()
  if (!response.ok) throw new Error(response.status + ': ' + text)
  return text === '' ? undefined : JSON.parse(text)
}

async function upload(fields) {
  const body = new FormData()
  for (const name in fields) body.set(name, fields[name])
  body.set('img', await openAsBlob('photo.jpg'), 'photo.jpg')
  return call('${routes.images}', { body })
}

const picture = await upload({ content_type: '0', include_manage_url: '1' })
console.log(picture.show_url)`,
    },
    {
      title: GALLERY,
      code: `const gallery = await call('${routes.galleries}', {
  body: new URLSearchParams({
    gallery_name: 'Holidays',
    include_manage_url: '1',
  }),
})
const { gallery_hash, gallery_upload_hash } = gallery
await upload({ content_type: '0', gallery_hash, gallery_upload_hash })
await call('${finalizePath("' + gallery_hash + '")}', {
  body: new URLSearchParams({ gallery_upload_hash }),
})
console.log(gallery.gallery_url)`,
    },
    {
      title: RENAME,
      code: `const tokenOf = (manageUrl) => manageUrl.split('/').at(-1)
const token = tokenOf(gallery.manage_url)
const renamed = await call('${renamePath("' + token + '")}', {
  body: new URLSearchParams({ name: 'Summer holidays' }),
})
console.log(renamed.gallery_name)`,
    },
    {
      title: STATUS,
      code: `const { results } = await call('${routes.imageStatus}', {
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ urls: [picture.show_url] }),
})
console.log(results[0].status)`,
    },
    {
      title: DELETE,
      code: `for (const { manage_url } of [gallery, picture]) {
  const path = '${deletePath("' + tokenOf(manage_url) + '")}'
  console.log(await call(path))
}`,
    },
  ]
}

function python(origin: string): Step[] {
  return [
    {
      title: UPLOAD,
      code: `import requests


def call(path, **request):
    response = requests.post("${origin}" + path, **request)
    if not response.ok:
        raise RuntimeError(response.text)
    return response.json() if response.content else None


def upload(**fields):
    with open("photo.jpg", "rb") as photo:
        return call("${routes.images}", data=fields, files={"img": photo})


picture = upload(content_type=0, include_manage_url=1)
print(picture["show_url"])`,
    },
    {
      title: GALLERY,
      code: `gallery = call(
    "${routes.galleries}",
    data={"gallery_name": "Holidays", "include_manage_url": 1},
)
gallery_hash = gallery["gallery_hash"]
token = {"gallery_upload_hash": gallery["gallery_upload_hash"]}
upload(content_type=0, gallery_hash=gallery_hash, **token)
call(f"${finalizePath('{gallery_hash}')}", data=token)
print(gallery["gallery_url"])`,
    },
    {
      title: RENAME,
      code: `def token_of(made):
    return made["manage_url"].split("/")[-1]


renamed = call(
    f"${renamePath('{token_of(gallery)}')}",
    json={"name": "Summer holidays"},
)
print(renamed["gallery_name"])`,
    },
    {
      title: STATUS,
      code: `answer = call("${routes.imageStatus}", json={"urls": [picture["show_url"]]})
print(answer["results"][0]["status"])`,
    },
    {
      title: DELETE,
      code: `for made in (gallery, picture):
    print(call(f"${deletePath('{token_of(made)}')}"))`,
    },
  ]
}

function powershell(origin: string): Step[] {
  return [
    {
      title: UPLOAD,
      code: `$ErrorActionPreference = 'Stop'
$post = @{ Method = 'Post' }
$form = @{
  img = Get-Item photo.jpg; content_type = 0; include_manage_url = 1
}
$picture = Invoke-RestMethod @post -Form $form ${origin}${routes.images}
$picture.show_url`,
    },
    {
      title: GALLERY,
      code: `$body = @{ gallery_name = 'Holidays'; include_manage_url = 1 }
$gallery = Invoke-RestMethod @post -Body $body ${origin}${routes.galleries}
$form = @{
  img = Get-Item photo.jpg; content_type = 0
  gallery_hash = $gallery.gallery_hash
  gallery_upload_hash = $gallery.gallery_upload_hash
}
$added = Invoke-RestMethod @post -Form $form ${origin}${routes.images}
$body = @{ gallery_upload_hash = $gallery.gallery_upload_hash }
$address = "${origin}${finalizePath('$($gallery.gallery_hash)')}"
Invoke-RestMethod @post -Body $body $address
$gallery.gallery_url`,
    },
    {
      title: RENAME,
      code: `$token = $gallery.manage_url.Split('/')[-1]
$body = @{ name = 'Summer holidays' }
$address = "${origin}${renamePath('$token')}"
$renamed = Invoke-RestMethod @post -Body $body $address
$renamed.gallery_name`,
    },
    {
      title: STATUS,
      code: `$json = @{ urls = @($picture.show_url) } | ConvertTo-Json
$post.ContentType = 'application/json'
$answer = Invoke-RestMethod @post -Body $json ${origin}${routes.imageStatus}
$answer.results[0].status`,
    },
    {
      title: DELETE,
      code: `foreach ($made in $gallery, $picture) {
  $token = $made.manage_url.Split('/')[-1]
  $address = "${origin}${deletePath('$token')}"
  Invoke-RestMethod -Method Post $address | ConvertTo-Json -Compress
}`,
    },
  ]
}
