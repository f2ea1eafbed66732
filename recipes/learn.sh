#!/bin/sh
# From dialogue corpora and a base model to an adapter: rows, fine-tuning, training by reward, held-out tasks.
#
#     sh recipes/learn.sh BASE CORPORA OUT [--vllm]
#
# BASE is a folder with weights, CORPORA the folder of docs/synth.md#corpora. The same command goes on where it was stopped.
# Further words go to reward_training.py. Qwen2.5-Coder-1.5B-Instruct on one H200, with --vllm: fine-tuning 301 s, training by
# reward 412 s: 0.60 dollars at 3 dollars an hour, without rows (some 20 minutes on one core) and measuring.
set -eu
base=$1 corpora=$2 out=$3
shift 3
recipes=$(dirname "$0") pool=$out/answers.pool
mkdir -p "$out"

if [ ! -f "$out/rows/rows.jsonl.xz" ]; then
    toolyard synth mixture --from corpora --sources "$corpora" --corpora all,multiwoz-fields --rows 24000 --max-tokens 2600 \
        --rename 0.12 --reword 0.5 --seed 43 --share mtu=0.84,nestools=0.14,chat=0.02 --out "$out/first"
    toolyard synth mixture --from world --sources "$corpora" --rows 3000 --max-tokens 2600 --rename 0.12 --zero-shot 0.33 \
        --seed 44 --share toolbehonest=0.6,tooleyes=0.4 --out "$out/second"
    python "$recipes/learn_rows.py" "$out/first" "$out/second" "$out/rows"
fi
toolyard train "$out/rows/rows.jsonl.xz" --eval "$out/rows/dev.jsonl.xz" --base "$base" --rank 32 --lr 5e-4 \
    --batch-tokens 32768 --micro-tokens 12288 --eval-every 110 --save-every 110 --out "$out/sft"

python "$recipes/reward_training.py" draw --pool "$pool" --tasks 1200
python "$recipes/reward_training.py" train "$base" --adapter "$out/sft/adapter" --pool "$pool" --tasks 1200 --out "$out/grpo" "$@"

if [ ! -f "$out/held_out.jsonl" ]; then
    python "$recipes/rejection_sampling.py" --pool "$pool" draw mtu,nestools,toolbehonest eval 0:300 "$out/held_out.jsonl"
    python "$recipes/short_items.py" "$out/items.jsonl"
    cat "$out/items.jsonl" >> "$out/held_out.jsonl"
fi
rm -f "$out/grpo/answers.jsonl" "$out/grpo/tasks.jsonl"
for model in "base hf/$base?dtype=bfloat16" "sft hf/$base?dtype=bfloat16&adapter=$out/sft/adapter" \
    "grpo hf/$base?dtype=bfloat16&adapter=$out/grpo/last"; do
    python "$recipes/rejection_sampling.py" --pool "$pool" measure "$out/held_out.jsonl" "${model#* }" "$out/grpo/answers.jsonl" \
        --name "${model%% *}"
done
python "$recipes/reward_report.py" "$out/grpo" --pool "$pool"
