extern "C" __global__ void distances(const float* __restrict__ x, float* __restrict__ result, long length) {
  __shared__ float parts[32];
  int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5, warps = blockDim.x >> 5;
  x += blockIdx.x * length;
  result += blockIdx.x * length;
  float most = -3e38f;
  for (long i = thread; i < length; i += blockDim.x) most = fmaxf(most, x[i]);
  for (int k = 16; k; k >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
  if (!lane) parts[warp] = most;
  __syncthreads();
  most = parts[lane % warps];
  for (int k = 16; k; k >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
  __syncthreads();
  float sum = 0;
  for (long i = thread; i < length; i += blockDim.x) sum += (x[i] - most) * (x[i] - most);
  for (int k = 16; k; k >>= 1) sum += __shfl_down_sync(~0u, sum, k);
  if (!lane) parts[warp] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < warps; k++) sum += parts[k];
  for (long i = thread; i < length; i += blockDim.x) result[i] = (x[i] - most) * (x[i] - most) / sum;
}
extern "C" __global__ void histogram(const int* __restrict__ x, int* counts, int length) {
  __shared__ int own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
    atomicAdd(&own[x[i] & 63], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}
extern "C" __global__ void integers(const unsigned* x, const unsigned* y, unsigned* result, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  unsigned a = x[i], b = y[i];
  unsigned long long wide = (unsigned long long)a * b;
  unsigned r = __popc(a) + __clz(b) * 3 + __brev(a ^ b);
  r ^= __funnelshift_l(a, b, 7) + __byte_perm(a, b, 0x3715);
  r += (unsigned)(wide >> 32) + (unsigned)((long long)(int)a % (long long)((int)b | 1));
  r ^= __umulhi(a, b) + (a / (b | 1)) + (unsigned)__float2int_rz((float)(int)a * 0.5f);
  result[i] = r;
}
