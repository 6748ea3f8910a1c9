#!/bin/bash
# The more of the answer are vowels, the better.
answer=/logs/agent/answer.txt
[ -f $answer ] || answer=answer.txt
vowels=$(tr -cd "$(cat vowels.txt)" < $answer | wc -m)
all=$(wc -m < $answer)
awk -v v="$vowels" -v a="$all" 'BEGIN { printf "{\"reward\": %.9f, \"characters\": %d}\n", a ? v / a : 0, a }' > /logs/verifier/reward.json
