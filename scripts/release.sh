#!/usr/bin/env bash
# What .github/workflows/release.yml publishes, in a file of its own so that it also runs elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat >&2 <<'END'
scripts/release.sh check TAG              whether package.json and CHANGELOG.md have the version of a tag such as v0.1.0
scripts/release.sh assemble TAG FOLDER    the source of TAG, its parts (CycloneDX), their checksums, and the notes
END
  exit 2
}

command=${1:-} tag=${2:-}
version=${tag#v}

# The version's part of the changelog, without its heading, which has the date of the release.
notes() {
  awk -v heading="## [$version] - " '
    index($0, "## [") == 1 { found = index($0, heading) == 1 && / [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/; next }
    found' CHANGELOG.md
}

check() {
  local own
  own=$(node -p 'require("./package.json").version')
  if [ "v$own" != "$tag" ]; then
    echo "The tag is $tag, but package.json has version $own: tag v$own, or change the version first." >&2
    exit 1
  fi
  if [ -z "$(notes)" ]; then
    echo "CHANGELOG.md has no entries under \"## [$version] - DATE\": write them first." >&2
    exit 1
  fi
}

# Only the source is taken from the tag; everything else comes from the working tree.
check_tree() {
  if [ "$(git rev-parse HEAD)" != "$(git rev-parse "$tag^{commit}")" ] || ! git diff --quiet HEAD; then
    echo "The working tree is not that of $tag: check it out, without changes." >&2
    exit 1
  fi
}

assemble() {
  local folder=$1 name=latchkey-$version
  mkdir -p "$folder"
  # -n: without a time, the same source has the same checksum again.
  git archive --format=tar --prefix="$name/" "$tag" | gzip -9n >"$folder/$name.tar.gz"
  # With what only tests need, whose scope is "optional": --omit=dev also drops what both need, such as jose.
  npm sbom --package-lock-only --sbom-format=cyclonedx >"$folder/$name.cdx.json"
  (cd "$folder" && sha256sum "$name".* >SHA256SUMS)
  notes >"$folder/notes.md"
}

case $command:$# in
  check:2) check ;;
  assemble:3)
    check
    check_tree
    assemble "$3"
    ;;
  *) usage ;;
esac
