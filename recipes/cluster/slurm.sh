#!/usr/bin/env bash
# A run on a Slurm cluster: one Ray node per machine, models in the workers' GPUs, the run on a file system all share.
#   sbatch --nodes=4 recipes/cluster/slurm.sh nestools hf/my-org/my-model /shared/runs
# The same command again goes on where it stopped: a job that met its time limit is simply submitted once more.
#SBATCH --job-name=toolyard
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --gpus-per-node=4
#SBATCH --time=04:00:00
set -euo pipefail
benchmark=$1 model=$2 runs=$3
shift 3

head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
port=$((20000 + SLURM_JOB_ID % 20000))
export RAY_USAGE_STATS_ENABLED=0

srun --nodes=1 --ntasks=1 --nodelist="$head" \
  ray start --head --node-ip-address="$head" --port="$port" --num-cpus="$SLURM_CPUS_PER_TASK" --block &
until ray status --address="$head:$port" >/dev/null 2>&1; do sleep 2; done
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
  srun --nodes=$((SLURM_JOB_NUM_NODES - 1)) --ntasks=$((SLURM_JOB_NUM_NODES - 1)) --exclude="$head" \
    ray start --address="$head:$port" --num-cpus="$SLURM_CPUS_PER_TASK" --block &
fi

toolyard run "$benchmark" -m "$model" --runs "$runs" --engine ray --ray-address "$head:$port" --gpus 1 \
  --concurrency 256 "$@"
