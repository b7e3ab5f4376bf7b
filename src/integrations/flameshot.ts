import * as routes from '../routes.ts'

/** A shell script that takes a screenshot with Flameshot and uploads it to the service at `origin`; it needs only curl. */
export function flameshotScript(origin: string): string {
  return `#!/bin/sh
# Takes a screenshot with Flameshot, uploads it to ${new URL(origin).host}, prints its link and puts it on the clipboard.
# Instead of a screenshot it takes the name of a picture, or - for one from the standard input.
# A service that asks for a key gets that of the variable TINTYPE_UPLOAD_KEY.
set -eu

name=screenshot.png
image=$(mktemp)
trap 'rm -f "$image"' EXIT
case "\${1-}" in
  '') flameshot gui --raw > "$image" ;;
  -) cat > "$image" ;;
  *)
    cat "$1" > "$image"
    # curl would read these characters as its own.
    name=$(basename "$1" | LC_ALL=C tr -d '\\000-\\037\\177";,\\\\')
    ;;
esac
if [ ! -s "$image" ]; then
  echo 'There is no picture to upload.' >&2
  exit 1
fi

if ! response=$(curl -sS --fail-with-body -F "img=@$image;filename=\${name:-image}" \\
  \${TINTYPE_UPLOAD_KEY:+-F "upload_key=$TINTYPE_UPLOAD_KEY"} \\
  -F content_type=0 -F include_manage_url=1 ${origin}${routes.images}); then
  echo "$response" >&2
  exit 1
fi

field() {
  printf '%s' "$response" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"
}
link=$(field show_url)
echo "$link"
echo "To delete it: $(field manage_url)" >&2

if [ -n "\${WAYLAND_DISPLAY-}" ] && command -v wl-copy > /dev/null; then
  printf '%s' "$link" | wl-copy
elif [ -n "\${DISPLAY-}" ] && command -v xclip > /dev/null; then
  printf '%s' "$link" | xclip -selection clipboard
fi
`
}
